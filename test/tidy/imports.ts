/** Which imports the table of rooms allows. */
import { basename } from "node:path";
import { innermost, mayReach } from "./floors.ts";
import type { Room } from "./room.ts";
import { EXPORTS, PACKAGES, ROOMS, WIRING } from "./rooms.ts";
import { type Import, resolveImport, type Source } from "./source.ts";

export const FOLDERS = ROOMS.map(({ folder }) => folder);
const roomOf = (path: string): Room | undefined => {
  const folder = innermost(FOLDERS, path);
  return ROOMS.find((room) => room.folder === folder);
};

/** Where an import leads: a path in the repository, or undefined for Node's modules and packages of npm. */
export function target(from: Source, { specifier }: Import): string | undefined {
  if (specifier.startsWith(".")) return resolveImport(from.path, specifier);
  return PACKAGES[specifier];
}

function allowed(from: Source, found: Import): boolean {
  if (WIRING.includes(from.path) || from.path.startsWith(`${EXPORTS}/`)) return true;
  const room = roomOf(from.path);
  if (room === undefined) return false;
  const to = target(from, found);
  if (to === undefined) return room.outside;
  const there = roomOf(to);
  if (there === undefined) return false;
  if (there === room) return mayReach(room, from.path, to);
  if (room.code.includes(there.folder)) return true;
  const contract = found.typeOnly || basename(to) === "port.ts";
  return contract && room.contracts.includes(there.folder);
}

/** Each as `path:line imports specifier`. */
export function forbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((found) => !allowed(source, found))
      .map((found) => `${source.path}:${found.line} imports ${found.specifier}`),
  );
}
