/** The builds of the console and the customers' pages. They run after the terminal's build, which empties `dist`. */
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";

/** `folder`: the page's folder, in the sources and in `dist`; `assets`: the folder of its files, which can be cached forever. */
export const pageBuild = (folder: string, assets: string): UserConfig =>
  defineConfig({
    root: fileURLToPath(new URL(folder, import.meta.url)),
    // Addresses are relative to the page, because a reverse proxy may serve it under a path.
    base: "./",
    publicDir: false,
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      target: "es2023",
      outDir: `../dist/${folder}`,
      emptyOutDir: true,
      assetsDir: assets,
      // The page's policy forbids inline scripts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        // Texts that only later scripts use stay out of the first one, although all texts are imported from one module.
        treeshake: { moduleSideEffects: [{ test: /\/src\/words\//, sideEffects: false }] },
      },
    },
  });
