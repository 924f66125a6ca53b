"""Seeding of the database, and the return to the last seed."""

import json
from datetime import datetime

from pulumi_dataprotection.emulator.seeds import Seed, named_seed, seed_document
from pulumi_dataprotection.emulator.store.document import replace_content
from pulumi_dataprotection.emulator.store.store import Store

_SEED = "seed"


def open_store(database: str, seed: Seed, now: datetime) -> Store:
    """Open a database; only a new database gets the seed.

    Raises:
        EmulatorError: The database cannot be used, or the seed is not valid.
    """
    store = Store(database)
    try:
        with store.transaction(write=True):
            if store.empty:
                store.create_tables()
                seed_store(store, seed, now)
    except BaseException:
        store.close()
        raise
    return store


def seed_store(store: Store, seed: Seed, now: datetime) -> None:
    """Replace everything by a seed, and keep the seed for `reseed_store`; within a transaction.

    Raises:
        EmulatorError: The seed's document is not valid.
    """
    replace_content(store, seed_document(seed, now), now)
    store.set_setting(_SEED, json.dumps(seed))


def reseed_store(store: Store, now: datetime) -> None:
    """Replace everything by the last seed; within a transaction."""
    replace_content(store, seed_document(named_seed(json.loads(store.setting(_SEED) or "{}")), now), now)
