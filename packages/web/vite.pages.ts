/** How the console and the customers' pages are built: one page and its files, after the terminal, whose build empties `dist`. */
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";

/** `folder` holds the page, and is its place in `dist`; `assets` is the folder of its files there, which never change. */
export const pageBuild = (folder: string, assets: string): UserConfig =>
  defineConfig({
    root: fileURLToPath(new URL(folder, import.meta.url)),
    // As the terminal's: it may stand under a path of its own.
    base: "./",
    publicDir: false,
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      target: "es2023",
      outDir: `../dist/${folder}`,
      emptyOutDir: true,
      assetsDir: assets,
      // The page's policy forbids what stands in the markup itself.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
