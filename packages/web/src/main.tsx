/** The terminal, put together. */
import { render } from "preact";

const place = document.getElementById("terminal");
if (place === null) throw new Error("the page has no place for the terminal");

const answer = await fetch("terminal.json", { cache: "no-store" });
const { version } = (await answer.json()) as { readonly version: string };
render(<h1>Pricetime {version}</h1>, place);
