//go:build tools

// Package tools keeps the Python language host among this module's requirements.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
