/** Files and folders that cannot be read without each other. */
import { dirname } from "node:path";
import { innermost, partsOf } from "./floors.ts";
import { FOLDERS, target } from "./imports.ts";
import { ROOMS, WIRING } from "./rooms.ts";
import type { Source } from "./source.ts";

/** Ways through a graph that come back to where they began, each as `a -> b -> a`. */
function circles(ways: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (place: string, trail: readonly string[]): void => {
    if (trail.includes(place)) found.push([...trail.slice(trail.indexOf(place)), place].join(" -> "));
    if (done.has(place) || trail.includes(place)) return;
    for (const next of ways.get(place) ?? []) walk(next, [...trail, place]);
    done.add(place);
  };
  for (const place of ways.keys()) walk(place, []);
  return found;
}

/** Files that cannot be read without each other, as far as the code within one thread and its types go. */
export function circlesOfFiles(sources: readonly Source[]): string[] {
  const ways = sources.map((source): [string, string[]] => [
    source.path,
    source.imports.filter(({ isWorker }) => !isWorker).flatMap((found) => target(source, found) ?? []),
  ]);
  return circles(new Map(ways));
}

/** Rooms of these folders that cannot be read without each other, with an import for each step. */
export function circlesOfRooms(sources: readonly Source[], folders: readonly string[]): string[] {
  const ways = new Map<string, Set<string>>();
  const examples = new Map<string, string>();
  for (const source of sources.filter(({ path }) => !WIRING.includes(path))) {
    for (const found of source.imports) {
      const to = target(source, found);
      if (to === undefined || WIRING.includes(to)) continue;
      const [room, there] = [innermost(folders, source.path), innermost(folders, to)];
      if (room === undefined || there === undefined || room === there) continue;
      ways.set(room, (ways.get(room) ?? new Set()).add(there));
      examples.set(`${room} -> ${there}`, `${source.path}:${found.line} imports ${found.specifier}`);
    }
  }
  return circles(ways).map((circle) => {
    const rooms = circle.split(" -> ");
    const steps = rooms.slice(1).map((room, i) => examples.get(`${rooms[i]} -> ${room}`));
    return `${circle}: ${steps.join("; ")}`;
  });
}

/** Rooms, their parts, and all folders, whether the table knows them or not. */
export const placesOf = (sources: readonly Source[]): string[] => [
  ...new Set([...FOLDERS, ...ROOMS.flatMap(partsOf), ...sources.map(({ path }) => dirname(path))]),
];
