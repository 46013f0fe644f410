# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the Python client with what the daemon at $CLAIMSD_SOCKET describes: names, types and defaults."""

import inspect
import keyword
import types
import typing
import unittest
from decimal import Decimal

import claimsd

# Those that belong to a connection: `watch` and closing are their counterparts.
WITHOUT_METHOD = {"cancel", "subscribe", "unsubscribe"}
PLAIN = {"string": str, "integer": int, "number": Decimal, "boolean": bool, "null": type(None)}


def alternatives(hint):
    """The members of a union; a single type is one."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return list(typing.get_args(hint))
    return [hint]


def attribute(name):
    """The name of a method of the clients: a word of the language has an underscore after it."""
    return name + "_" if keyword.iskeyword(name) else name


class DescriptionTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.client = claimsd.Client()
        self.addCleanup(self.client.close)
        self.methods = {m["name"]: m for m in self.client.describe()["methods"]}

    def check(self, hint, schema, where):
        """Compares a type hint with a JSON Schema, to its leaves."""
        if hint is typing.Any:
            return self.assertNotIn("type", schema, where)
        if "enum" in schema:
            return self.assertEqual(set(typing.get_args(hint)), set(schema["enum"]), where)
        kinds = schema.get("type")
        self.assertIsNotNone(kinds, where)
        kinds = set([kinds] if isinstance(kinds, str) else kinds)
        for one in alternatives(hint):
            origin = typing.get_origin(one) or one
            if typing.is_typeddict(one):
                kinds.discard("object")
                self.check_members(one, schema, where)
            elif origin is dict:
                self.assertIn("object", kinds, where)
                kinds.discard("object")
                self.assertFalse(schema.get("properties"), where)
                item = schema.get("additionalProperties")
                if isinstance(item, dict):
                    self.check(typing.get_args(one)[1], item, where + ".*")
            elif isinstance(origin, type) and issubclass(origin, typing.get_origin(typing.Sequence[int])) \
                    and origin is not str:
                self.assertIn("array", kinds, where)
                kinds.discard("array")
                self.check(typing.get_args(one)[0], schema.get("items", {}), where + "[]")
            else:
                name = next((n for n, t in PLAIN.items() if t is one), None)
                self.assertIn(name, kinds, f"{where}: {one}")
                kinds.discard(name)
        self.assertFalse(kinds, f"{where}: the hint lacks {kinds}")

    def check_members(self, hint, schema, where):
        hints = typing.get_type_hints(hint)
        self.assertEqual(set(hints), set(schema.get("properties", {})), where)
        # Not __required_keys__: Python 3.11 does not see NotRequired in annotations that are evaluated later.
        extras = typing.get_type_hints(hint, include_extras=True)
        required = {name for name, one in extras.items() if typing.get_origin(one) is not typing.NotRequired}
        self.assertEqual(required, set(schema.get("required", [])), where)
        for name, member in schema.get("properties", {}).items():
            self.check(hints[name], member, f"{where}.{name}")

    def test_each_method_is_one_of_both_clients_with_its_parameters_and_defaults(self):
        for client in (claimsd.Client, claimsd.AsyncClient):
            for name, method in self.methods.items():
                if name in WITHOUT_METHOD:
                    continue
                where = f"{client.__name__}.{name}"
                function = getattr(client, attribute(name), None)
                self.assertIsNotNone(function, f"{where} is missing")
                self.assertEqual(inspect.iscoroutinefunction(function), client is claimsd.AsyncClient, where)
                parameters = dict(inspect.signature(function).parameters)
                del parameters["self"]
                # A word of the language as a parameter has an underscore after it.
                parameters = {n.removesuffix("_"): p for n, p in parameters.items()}
                schemas = method["params"].get("properties", {})
                self.assertEqual(set(parameters), set(schemas), where)
                hints = {n.removesuffix("_"): h for n, h in typing.get_type_hints(function).items()}
                required = method["params"].get("required", [])
                for parameter, schema in schemas.items():
                    here = f"{where}({parameter})"
                    default = parameters[parameter].default
                    if parameter in required:
                        self.assertIs(default, inspect.Parameter.empty, here)
                    else:
                        self.assertEqual(default, schema.get("default"), here)
                    hint = hints[parameter]
                    if default is None:
                        self.assertIn(type(None), alternatives(hint), here)
                        hint = typing.Union[tuple(t for t in alternatives(hint) if t is not type(None))]
                    if parameter == "filter":
                        self.assertEqual(hint, claimsd.Filter, here)
                    else:
                        self.check(hint, schema, here)

    def test_the_result_of_each_method_is_described_member_by_member(self):
        for client in (claimsd.Client, claimsd.AsyncClient):
            for name, method in self.methods.items():
                if name in WITHOUT_METHOD:
                    continue
                hint = typing.get_type_hints(getattr(client, attribute(name)))["return"]
                if method["result"].get("properties"):
                    self.check_members(hint, method["result"], f"{client.__name__}.{name}")

    def test_the_client_has_no_method_that_the_protocol_lacks(self):
        own = {"call", "close", "records", "watch"}
        for client in (claimsd.Client, claimsd.AsyncClient):
            public = {n for n, _ in inspect.getmembers(client, inspect.isfunction) if not n.startswith("_")}
            self.assertEqual(public - own, {attribute(name) for name in self.methods} - WITHOUT_METHOD)


if __name__ == "__main__":
    unittest.main()
