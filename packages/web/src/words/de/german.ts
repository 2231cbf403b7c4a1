/** All German texts. A chunk of its own, which only pages in German load. */
import { customerGerman } from "./customer.ts";
import { pagesGerman } from "./pages.ts";
import { portfolioGerman } from "./portfolio.ts";
import { proofGerman } from "./proof.ts";

export const german = { ...customerGerman, ...pagesGerman, ...portfolioGerman, ...proofGerman };
