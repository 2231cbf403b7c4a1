/** The command tables match the admin API's routes: paths, fields and required fields. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { AdminNode } from "../../../src/people/admin/node.ts";
import type { AdminRoute } from "../../../src/people/admin/router.ts";
import { adminRoutes } from "../../../src/people/admin/routes.ts";
import { COMMANDS } from "../../../src/program/cli/program.ts";
import { CommandRow, type Item } from "../../../src/program/cli/session/command-row.ts";
import { BODY } from "../../../src/program/cli/session/values.ts";

const routes = adminRoutes({} as AdminNode);

function rowsOf(items: readonly Item[], group = ""): [name: string, row: CommandRow][] {
  return items.flatMap((item): [string, CommandRow][] => {
    if (item instanceof CommandRow) return [[`${group}${item.words.split(" ")[0]}`, item]];
    return typeof item === "object" ? rowsOf(item.items, `${group}${item.name} `) : [];
  });
}

const rows = rowsOf(COMMANDS).filter(([, row]) => row.routes.length > 0);
const shapeOf = (path: string): string => path.replaceAll(/:[A-Za-z]+/g, ":");
const inPath = (path: string): string[] => [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = ""]) => name);

interface Schema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The fields that a route accepts in its body or query, and the required ones. */
function fieldsOf({ method, body, query }: AdminRoute): {
  readonly all: string[];
  readonly required: readonly string[];
} {
  const own = method === "GET" ? query : body;
  if (own === undefined) return { all: [], required: [] };
  const schema = z.toJSONSchema(own, { io: "input", unrepresentable: "any" }) as Schema;
  const variants = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return {
    all: variants.flatMap(({ properties = {} }) => Object.keys(properties)),
    required: schema.required ?? [],
  };
}

test("each row calls routes that exist, with all parts of their paths", () => {
  assert.ok(rows.length > 100, String(rows.length));
  for (const [name, row] of rows) {
    const known = row.parameters.map((parameter) => parameter.name);
    for (const { route, when } of row.routes) {
      const [method = "", path = ""] = route.split(" ");
      for (const part of [...inPath(path), ...when]) assert.ok(known.includes(part), `${name}: ${route} needs ${part}`);
      if (path.startsWith("/v1/lab/")) continue;
      const found = routes.some((each) => each.method === method && shapeOf(each.pattern) === shapeOf(path));
      assert.ok(found, `${name}: the admin API has no ${route}`);
    }
  }
});

test("each row sends only known fields and all required ones", () => {
  let compared = 0;
  for (const [name, row] of rows) {
    if (row.body !== undefined || row.parameters.some(({ field }) => field === BODY)) continue;
    const called = row.routes.flatMap(({ route }) => {
      const [method, path = ""] = route.split(" ");
      return routes.filter((each) => each.method === method && shapeOf(each.pattern) === shapeOf(path));
    });
    if (called.length === 0) continue;
    const paths = row.routes.flatMap(({ route }) => inPath(route));
    const selecting = row.routes.flatMap(({ when }) => when);
    const sent = row.parameters.filter((parameter) => !paths.includes(parameter.name));
    const fields = sent.map((parameter) => parameter.field ?? parameter.name);
    const taken = called.map(fieldsOf);
    for (const parameter of sent) {
      const field = parameter.field ?? parameter.name;
      compared++;
      const isTaken = taken.some(({ all }) => all.includes(field)) || selecting.includes(parameter.name);
      assert.ok(
        isTaken,
        `${name} sends ${field}, which ${row.routes.map(({ route }) => route).join(", ")} does not take`,
      );
    }
    for (const field of taken.flatMap(({ required }) => required)) {
      assert.ok(fields.includes(field), `${name} does not send ${field}, which its route requires`);
    }
  }
  assert.ok(compared > 100, String(compared));
});
