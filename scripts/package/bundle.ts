/** The program as JavaScript: few files, without what nothing reaches, and without packages to install. */
import { join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { ROOT } from "../../test/tidy/source.ts";
import { FILE_OF, PACKAGE_ROOT, type Places, placesOf, relinked } from "./places.ts";

/** What is run or imported from outside, by the name that it has there. Threads come to them by themselves. */
const ENTRIES: Readonly<Record<string, string>> = {
  pricetime: "packages/server/src/program/cli/pricetime.ts",
  index: "packages/server/src/index.ts",
  protocol: "packages/protocol/src/index.ts",
  lab: "packages/lab/src/index.ts",
  "lab-hold": "packages/lab/src/hold/hold.ts",
};
/** `ws` tries them and does without; both are compiled for one machine. */
const NOT_OURS = ["bufferutil", "utf-8-validate"];
/** For the head of each file: what CommonJS packages ask for when they are part of a module, and where the package is. */
const HEAD = `
import { createRequire as requireFrom } from "node:module";
import { fileURLToPath as pathOfUrl } from "node:url";
const require = requireFrom(import.meta.url);
const ${PACKAGE_ROOT} = new URL("../", import.meta.url);
const ${FILE_OF} = (place) => pathOfUrl(new URL(place, ${PACKAGE_ROOT}));
`.trim();

export interface Bundle {
  /** Which source stands where, from the root of the repository. */
  readonly metafile: Metafile;
  readonly places: Places;
}

/** Writes `<folder>/lib`. Throws when a source leads to a file that would not be there. */
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
    // Names stay as they are: a stack trace is to be read without the sources.
    minify: false,
    legalComments: "none",
    external: NOT_OURS,
    banner: { js: HEAD },
    // No file of the package is a program but by its first lines.
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

/** For the head of a CommonJS file. */
const HEAD_FOR_REQUIRE = `
const ${PACKAGE_ROOT} = new URL("../", require("node:url").pathToFileURL(__filename));
`.trim();

/** What tests import, for those whose runner knows no modules: one file, which starts the node of the others. */
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
    // The package's name for itself; only `import()` reaches it.
    alias: { "@pricetime/server": "pricetime" },
    external: ["pricetime"],
    logLevel: "warning",
    plugins: [relinking(places)],
  });
}
