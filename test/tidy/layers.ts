/**
 * The import rules. `LAYERS` lists the order of a folder's parts; all other rules need no table: a package is imported
 * by its entry point, and no two files or folders import each other, directly or through others.
 */
import { basename, dirname } from "node:path";
import { type Import, resolveImport, type Source } from "./source.ts";

const engine = (path: string): string => `packages/engine/src/${path}`;
const server = (path: string): string => `packages/server/src/${path}`;
const web = (path: string): string => `packages/web/src/${path}`;

/**
 * The parts of a folder (folders and files) from the bottom up. A part imports only parts on lower lines; parts on one
 * line do not import each other. Parts that are not listed are bound only by the rule against cycles.
 */
export const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // Decision 36: values and records, then the state, then what commands do with it.
  "packages/engine/src": [
    ["assert.ts", "limits.ts", "numbers.ts"],
    ["bytes.ts", "filter-checks.ts"],
    ["filters.ts"],
    ["entry"],
    ["engine-view.ts", "generate-past-candles.ts"],
    ["state"],
    ["add-past-candles.ts", "nodes.ts", "trading"],
    ["access", "funds"],
    ["invariants.ts", "listing.ts", "venue"],
    ["carry-out.ts", "engine-readers.ts", "snapshot.ts"],
    ["engine.ts"],
    ["index.ts"],
  ],
  "packages/engine/src/state": [
    ["access.ts", "funds", "ledger.ts", "order"],
    ["accounts.ts", "book", "venue.ts"],
    ["market"],
    ["exchange-state.ts"],
  ],
  "packages/server/src": [
    ["platform"],
    ["history"],
    ["journal"],
    ["cluster", "funds", "research"],
    ["api"],
    ["people"],
    ["lab"],
    ["program"],
  ],
  "packages/web/src": [
    ["words"],
    ["exact", "proof", "style"],
    ["preferences.ts"],
    ["rules", "wire"],
    ["market"],
    ["account"],
    ["chart", "lab"],
    ["panels"],
    ["pages"],
    ["console", "customer"],
  ],
};

/** Files that count as parts of a parent folder, because both sides of it need them. */
export const LIFTED: Readonly<Record<string, string>> = {
  [server("api/edge/http/edge.ts")]: server("api/edge"),
  [web("account/port.ts")]: "packages/web/src",
  [web("lab/port.ts")]: "packages/web/src",
  [web("market/port.ts")]: "packages/web/src",
};

/**
 * Folders without side effects, which run anywhere: at run time they import only each other and the engine's and the
 * protocol's entry points.
 */
export const PURE = [
  "packages/engine/src",
  "packages/protocol/src",
  server("history/shapes"),
  server("cluster/port.ts"),
  web("exact"),
  web("words"),
  web("rules"),
];

/**
 * `who` uses these parts of a node only through their ports: it imports their types, and at run time only `port.ts`.
 * The wiring passes the implementations.
 */
export const THROUGH_PORTS = {
  who: [server("api"), server("people")],
  parts: ["cluster", "funds", "history", "journal"].map(server),
  except: [server("history/shapes")],
};

/** How a journal is stored: only its folder and the lab's storage, which keeps journals in memory, use these files. */
const STORES = { folder: server("journal"), users: [server("journal"), server("lab")] };

/** The packages that a package may import by name, where that is not all of them; `types`: their types only. */
const BY_NAME: Readonly<Record<string, { readonly code: readonly string[]; readonly types: readonly string[] }>> = {
  "packages/engine/src": { code: [], types: [] },
  "packages/protocol/src": { code: [], types: ["@pricetime/engine"] },
  "packages/web/src": {
    code: [
      "@pricetime/engine",
      "@pricetime/engine/filters",
      "@pricetime/engine/numbers",
      "@pricetime/engine/rounding",
      "@pricetime/protocol",
    ],
    types: ["@pricetime/server/answers"],
  },
};

/** A process of its own, the only one with private keys: it shares no code with the node except these folders. */
export const SIGNER = { folder: server("funds/wallet/evm/signer"), uses: [server("platform/config")] };

/** Files that wire a program together and may import every part of it. */
export const WIRING = [
  server("main.ts"),
  server("index.ts"),
  server("program/cli/pricetime.ts"),
  web("main.tsx"),
  web("console.tsx"),
  web("customer.tsx"),
];

/** The server's exports for auditors, simulators and benchmarks: these files may export any part. */
const EXPORTS = server("program/exports");

/** The entry points of packages that others import by name. */
export const PACKAGES: Readonly<Record<string, string>> = {
  "@pricetime/engine": engine("index.ts"),
  "@pricetime/engine/filters": engine("filters.ts"),
  "@pricetime/engine/numbers": engine("numbers.ts"),
  "@pricetime/engine/rounding": engine("state/market/rounding.ts"),
  "@pricetime/protocol": "packages/protocol/src/index.ts",
};

const isIn = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);
const homeOf = (path: string): string => /^packages\/\w+\/src/.exec(path)?.[0] ?? dirname(path);

/** The file that an import refers to; undefined for Node.js modules and npm packages. */
export function target(from: Source, { specifier }: Import): string | undefined {
  if (specifier.startsWith(".")) return resolveImport(from.path, specifier);
  return PACKAGES[specifier];
}

/** The part of a folder that contains a file, relative to the folder: a subfolder, or the file itself. */
function partOf(folder: string, path: string): string | undefined {
  const lifted = LIFTED[path];
  if (lifted !== undefined && isIn(lifted, folder) && folder !== lifted) return undefined;
  if (!path.startsWith(`${folder}/`)) return undefined;
  const rest = path.slice(folder.length + 1);
  return lifted === folder ? rest : rest.split("/", 1)[0];
}

const isPure = (path: string): boolean => PURE.some((folder) => isIn(folder, path));

/** Why an import of a package by its name is forbidden; undefined if it is allowed. */
function faultOfName(from: Source, { specifier, typeOnly }: Import): string | undefined {
  const rule = BY_NAME[homeOf(from.path)];
  if (rule === undefined || !specifier.startsWith("@pricetime/")) return undefined;
  if (rule.code.includes(specifier) || (typeOnly && rule.types.includes(specifier))) return undefined;
  return "the package does not use this one";
}

/** Why an import is forbidden; undefined if it is allowed. */
function faultOf(from: Source, found: Import): string | undefined {
  const to = target(from, found);
  const named = faultOfName(from, found);
  if (named !== undefined) return named;
  const isEntry = Object.values(PACKAGES).includes(to ?? "");
  if (isPure(from.path) && !found.typeOnly && !isEntry && (to === undefined || !isPure(to))) return "it is pure";
  if (to === undefined) return undefined;
  if (WIRING.includes(from.path)) return undefined;
  if (isIn(SIGNER.folder, from.path)) {
    const isKnown = [SIGNER.folder, ...SIGNER.uses, ...Object.values(PACKAGES)].some((folder) => isIn(folder, to));
    return isKnown ? undefined : "the signer shares no code with the node";
  }
  if (found.isWorker) return undefined;
  if (found.specifier.startsWith(".") && homeOf(from.path) !== homeOf(to)) return "a package is imported by its name";
  if (WIRING.includes(to)) return "only the wiring imports the wiring";
  if (isIn(EXPORTS, from.path)) return undefined;
  if (isIn(EXPORTS, to)) return "exports are for programs outside of the package";
  const runs = !found.typeOnly && basename(to) !== "port.ts";
  if (runs && dirname(to) === STORES.folder && !STORES.users.some((folder) => isIn(folder, from.path)))
    return "only the journal and the lab know how a journal is stored";
  const { who, parts, except } = THROUGH_PORTS;
  if (runs && who.some((folder) => isIn(folder, from.path)) && !except.some((folder) => isIn(folder, to)))
    if (parts.some((folder) => isIn(folder, to))) return "only through a port";
  for (const [folder, layers] of Object.entries(LAYERS)) {
    const [above, below] = [partOf(folder, from.path), partOf(folder, to)];
    if (above === undefined || below === undefined || above === below) continue;
    const layerOf = (part: string): number => layers.findIndex((line) => line.includes(part));
    const [high, low] = [layerOf(above), layerOf(below)];
    if (high >= 0 && low >= 0 && low >= high) return `${above} is not above ${below}`;
  }
  return undefined;
}

/** Each as `path:line imports specifier: reason`. */
export function forbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    source.imports.flatMap((found) => {
      const fault = faultOf(source, found);
      return fault === undefined ? [] : [`${source.path}:${found.line} imports ${found.specifier}: ${fault}`];
    }),
  );
}

/** The cycles of a graph, each as `a -> b -> a`. */
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

/**
 * Cycles of imports between files, including types. The entry point of a thread is not imported by the file that starts
 * it.
 */
export function circlesOfFiles(sources: readonly Source[]): string[] {
  const ways = sources.map((source): [string, string[]] => [
    source.path,
    source.imports.filter(({ isWorker }) => !isWorker).flatMap((found) => target(source, found) ?? []),
  ]);
  return circles(new Map(ways));
}

/** Cycles of imports between the parts of a folder (its subfolders and files), for every folder with sources. */
export function circlesOfFolders(sources: readonly Source[]): string[] {
  const folders = new Set<string>();
  for (const { path } of sources)
    for (let folder = dirname(path); folder.includes("/"); folder = dirname(folder)) folders.add(folder);
  const wired = sources.filter(({ path }) => !WIRING.includes(path));
  const arrows = wired.flatMap((source) =>
    source.imports.flatMap((found) => {
      const to = target(source, found);
      if (found.isWorker && to !== undefined && dirname(to) === dirname(source.path)) return [];
      return to === undefined || WIRING.includes(to) ? [] : [{ from: source.path, to, line: found.line }];
    }),
  );
  return [...folders].flatMap((folder) => {
    const ways = new Map<string, Set<string>>();
    const examples = new Map<string, string>();
    for (const { from, to, line } of arrows) {
      const [part, there] = [partOf(folder, from), partOf(folder, to)];
      if (part === undefined || there === undefined || part === there) continue;
      ways.set(part, (ways.get(part) ?? new Set()).add(there));
      examples.set(`${part} -> ${there}`, `${from}:${line} imports ${to}`);
    }
    return circles(ways).map((circle) => {
      const parts = circle.split(" -> ");
      const steps = parts.slice(1).map((part, i) => examples.get(`${parts[i]} -> ${part}`));
      return `in ${folder}: ${circle}: ${steps.join("; ")}`;
    });
  });
}
