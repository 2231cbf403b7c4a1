/** The build of the console, which the admin port serves. */
import { pageBuild } from "./vite.pages.ts";

export default pageBuild("console", "console");
