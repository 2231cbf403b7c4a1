/** The venue's name, logo and support address, which the node writes into the page's head. */
import { terminalWords } from "../words/words.ts";

export interface Venue {
  readonly name: string;
  /** An email address or a URL; null if none is configured. */
  readonly support: string | null;
  /** The address of the logo; null if there is none. */
  readonly logo: string | null;
}

type Head = Pick<Document, "querySelector">;

/** The venue in the page's head. Without a configured name, it has the name of the program. */
function venueIn(head: Head): Venue {
  const { name, support } = factsIn(head.querySelector('meta[name="venue"]')?.getAttribute("content") ?? "{}");
  const logo = head.querySelector<HTMLLinkElement>("link[data-logo]")?.href ?? null;
  return {
    name: typeof name === "string" ? name : terminalWords.brand,
    support: typeof support === "string" ? support : null,
    logo,
  };
}

function factsIn(text: string): { readonly name?: unknown; readonly support?: unknown } {
  try {
    const facts: unknown = JSON.parse(text);
    return typeof facts === "object" && facts !== null ? facts : {};
  } catch {
    return {};
  }
}

let read: Venue | undefined;

/** The venue of this page. */
export function theVenue(): Venue {
  read ??= venueIn(document);
  return read;
}

/** The link to the support address: an email address or a page. */
export const supportLink = (support: string): string =>
  support.startsWith("https://") ? support : `mailto:${support}`;

/** The logo and the name. Without a configured logo, the mark is that of the program. */
export function Brand() {
  const { name, logo } = theVenue();
  return (
    <>
      {logo === null ? (
        <svg viewBox="0 0 18 18" aria-hidden="true">
          <path d="M2 15V9M6.700 15V3M11.300 15V6M16 15v-4" stroke="var(--accent)" stroke-width="2.600" fill="none" />
        </svg>
      ) : (
        <img class="logo" src={logo} alt="" />
      )}
      <span>{name}</span>
    </>
  );
}
