/** The build of the terminal: one page and its files, whose names contain a hash of their content. */
import { defineConfig, type Plugin } from "vite";

/** Preloads with low priority the scripts that the page's script imports later. */
const fetchesEarly: Plugin = {
  name: "fetches-early",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle = {} }) =>
      Object.values(bundle)
        .filter((file) => file.type === "chunk" && file.isDynamicEntry)
        .map(({ fileName }) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, fetchpriority: "low", href: `./${fileName}` },
          injectTo: "head",
        })),
  },
};

export default defineConfig({
  // Addresses are relative to the page, because a reverse proxy may serve it under a path.
  base: "./",
  publicDir: false,
  plugins: [fetchesEarly],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    // The node lets browsers cache files of this folder forever (packages/server/src/api/web/terminal).
    assetsDir: "terminal",
    // The page's policy forbids inline scripts and styles, and data URLs except for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    // On a slow machine, installing the packages would print a warning about the time of the plugin.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
