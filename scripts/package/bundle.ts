/** Bundles the program as JavaScript: few files, without unreachable code, and without packages to install. */
import { join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { ROOT } from "../../test/tidy/source.ts";
import { FILE_OF, PACKAGE_ROOT, type Places, placesOf, relinked } from "./places.ts";

/** The entry points that users run or import, by their name in the package. Threads are found automatically. */
const ENTRIES: Readonly<Record<string, string>> = {
  pricetime: "packages/server/src/program/cli/pricetime.ts",
  index: "packages/server/src/index.ts",
  protocol: "packages/protocol/src/index.ts",
  lab: "packages/lab/src/index.ts",
  "lab-hold": "packages/lab/src/hold/hold.ts",
};
/** Optional native packages of `ws`, which works without them; each is compiled for one platform. */
const NOT_OURS = ["bufferutil", "utf-8-validate"];
/**
 * The beginning of each file: the variables that CommonJS packages need inside a module, and the package's location.
 */
const HEAD = `
import { createRequire as requireFrom } from "node:module";
import { fileURLToPath as pathOfUrl } from "node:url";
const require = requireFrom(import.meta.url);
const ${PACKAGE_ROOT} = new URL("../", import.meta.url);
const ${FILE_OF} = (place) => pathOfUrl(new URL(place, ${PACKAGE_ROOT}));
`.trim();

export interface Bundle {
  /** Which source is in which file, as paths relative to the root of the repository. */
  readonly metafile: Metafile;
  readonly places: Places;
}

/** Writes `<folder>/lib`. Throws if a source refers to a file that would be missing. */
export async function bundle(folder: string): Promise<Bundle> {
  const places = placesOf();
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { ...ENTRIES, ...places.threads },
    outdir: join(folder, "lib"),
    bundle: true,
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node24",
    // Names are kept, so that a stack trace can be read without the sources.
    minify: false,
    legalComments: "none",
    external: NOT_OURS,
    banner: { js: HEAD },
    // In the package, only the first lines of a bundled file start a program, never this condition.
    define: { "import.meta.main": "false" },
    metafile: true,
    logLevel: "warning",
    plugins: [relinking(places)],
  });
  await bundleForRequire(folder, places);
  return { metafile, places };
}

const relinking = (places: Places): Plugin => ({
  name: "places",
  setup: (build) => {
    build.onLoad({ filter: /[\\/]packages[\\/]\w+[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: relinked(path, places),
      loader: "ts",
    }));
  },
});

/** The beginning of a CommonJS file. */
const HEAD_FOR_REQUIRE = `
const ${PACKAGE_ROOT} = new URL("../", require("node:url").pathToFileURL(__filename));
`.trim();

/** The package for test runners without ES modules: one file, which starts the node from the other files. */
async function bundleForRequire(folder: string, places: Places): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRIES["lab"] ?? ""],
    outfile: join(folder, "lib/lab.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    legalComments: "none",
    banner: { js: HEAD_FOR_REQUIRE },
    // The package's own name, which only `import()` uses.
    alias: { "@pricetime/server": "pricetime" },
    external: ["pricetime"],
    logLevel: "warning",
    plugins: [relinking(places)],
  });
}
