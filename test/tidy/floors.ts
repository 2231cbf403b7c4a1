/** The floors of a room: which of its parts a file stands in, and what it may reach from there. */
import { OWN, type Room } from "./room.ts";

/** The innermost of these folders that the file stands in; a folder may be one file. */
export const innermost = (folders: readonly string[], path: string): string | undefined =>
  folders
    .filter((folder) => path === folder || path.startsWith(`${folder}/`))
    .reduce<string | undefined>((inner, folder) => (inner && inner.length > folder.length ? inner : folder), undefined);

/** The parts of a room as paths in the repository, without those files of its own that stand in none. */
export function partsOf({ folder, floors = [] }: Room): string[] {
  return floors.flat().flatMap((part) => (part === OWN ? [] : `${folder}/${part}`));
}

/** May a file of the room import another one of the same room? */
export function mayReach(room: Room, from: string, to: string): boolean {
  const parts = partsOf(room);
  const [part, there] = [innermost(parts, from), innermost(parts, to)];
  return part === there || floorOf(room, there) < floorOf(room, part);
}

function floorOf({ folder, floors = [] }: Room, part: string | undefined): number {
  const name = part === undefined ? OWN : part.slice(folder.length + 1);
  const floor = floors.findIndex((parts) => parts.includes(name));
  return floor < 0 ? floors.length : floor;
}
