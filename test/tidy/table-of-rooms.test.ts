/** The table of rooms itself: each folder has one row, each row names a room once, and all that is named is there. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { partsOf } from "./floors.ts";
import type { Room } from "./room.ts";
import { ROOMS } from "./rooms.ts";
import { ROOT } from "./source.ts";

const twice = (names: readonly string[]): string[] => names.filter((name, i) => names.indexOf(name) < i);

/** What is wrong with a table whose folders are there by this. */
function faultsOf(rooms: readonly Room[], isThere: (folder: string) => boolean): string[] {
  const folders = rooms.map(({ folder }) => folder);
  const parts = rooms.flatMap(partsOf);
  return [
    ...twice(folders).map((folder) => `${folder} has two rows`),
    ...[...folders, ...parts].filter((folder) => !isThere(folder)).map((folder) => `${folder} is not there`),
    ...twice(parts).map((part) => `${part} stands on two floors`),
    ...rooms.flatMap(({ folder, code, contracts }) => {
      const named = [...code, ...contracts];
      return [
        ...twice(named).map((name) => `the row of ${folder} names ${name} twice`),
        ...named.filter((name) => name === folder).map(() => `the row of ${folder} names itself`),
        ...named
          .filter((name) => !folders.includes(name))
          .map((name) => `${folder} may import ${name}, which is no room`),
      ];
    }),
  ];
}

test("each folder has one row, and no row repeats a room", () => {
  assert.deepEqual(
    faultsOf(ROOMS, (folder) => existsSync(join(ROOT, folder))),
    [],
  );
});

test("the check of the table finds what it looks for", () => {
  const room = (folder: string, code: readonly string[] = [], contracts: readonly string[] = []): Room => ({
    folder,
    code,
    contracts,
    outside: false,
  });
  const found = (...rooms: Room[]): number => faultsOf(rooms, (folder) => folder !== "gone").length;
  assert.equal(found(room("a"), room("b", ["a"])), 0);
  assert.equal(found(room("a"), room("b"), room("a")), 1);
  assert.equal(found(room("a"), room("b", ["a", "a"])), 1);
  assert.equal(found(room("a"), room("b", ["a"], ["a"])), 1);
  assert.equal(found(room("a", ["a"])), 1);
  assert.equal(found(room("gone")), 1);
  assert.equal(found(room("a", ["b"])), 1);
  assert.equal(found({ ...room("a"), floors: [["b"], ["c"]] }), 0);
  assert.equal(found({ ...room("a"), floors: [["b"], ["b"]] }), 1);
});
