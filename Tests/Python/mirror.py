# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
"""Mirrors a collection, and prints the ids that it holds whenever they differ at a clock."""

import sys

import claimsd

held = set()
shown = None
for event in claimsd.Client().watch(sys.argv[1], fields=["id"], initial=True):
    if event.fresh:
        held.clear()
    held.update(entry["id"] for entry in event.added + event.updated)
    held.difference_update(entry["id"] for entry in event.removed)
    if event.complete and held != shown:
        shown = set(held)
        print(*sorted(held, key=int), flush=True)
