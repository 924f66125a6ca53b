"""The dialect: what the interface leaves open, as switches and presets."""
