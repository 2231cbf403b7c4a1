/** How the terminal is built: one page and its files, whose names change with what is in them. */
import { defineConfig, type Plugin } from "vite";

/** What the page's script imports later is fetched meanwhile, behind all that the page needs first, and runs later. */
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
  // Addresses relative to the page: it may stand behind a reverse proxy, under a path of its own.
  base: "./",
  publicDir: false,
  plugins: [fetchesEarly],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    // The node serves files of this folder as ones that never change (packages/server/src/api/web/terminal).
    assetsDir: "terminal",
    // The page's policy forbids what stands in the markup itself, and data addresses but for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    // On a slow machine it would tell whoever installs the packages how long our own plugin took.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
});
