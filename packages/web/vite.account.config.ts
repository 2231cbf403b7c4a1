/** The build of the customers' pages, which the node serves below `/account/`. */
import { pageBuild } from "./vite.pages.ts";

export default pageBuild("account", "files");
