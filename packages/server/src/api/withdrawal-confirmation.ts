/**
 * The page that the link in a withdrawal confirmation email opens. Opening it changes nothing, because mail scanners
 * also open links; the button on the page confirms the withdrawal.
 */
import type { Document } from "./edge/request.ts";
import type { Event, WithdrawalRecord } from "@pricetime/engine";
import type { Outcome } from "../journal/sequencer/port.ts";
import type { Venue } from "./call.ts";
import { type EmailedPageBranding, UNBRANDED } from "./web/branding.ts";
import { type ConfirmationWords, confirmationWords, languageIn } from "./withdrawal-confirmation-words.ts";
import { diagnose } from "./responder.ts";
import { escaped } from "./web/html.ts";
import { carriedText } from "../history/shapes/amounts.ts";

// Builds a small HTML page in which all values are escaped. Its theme is that of the system.

const STYLE =
  ":root{color-scheme:light dark}" +
  "body{background:#eceeed;color:#172023;font:1rem/1.5 system-ui,sans-serif;margin:0;padding:1.5rem 1rem}" +
  "main{background:#fff;border-top:4px solid var(--accent,#0b6e6e);border-radius:4px;margin:auto;max-width:32rem;padding:1.5rem}" +
  ".brand{align-items:center;display:flex;font-weight:600;gap:.75rem;margin:0 0 1.5rem}.brand img{height:2rem}" +
  "h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}dt{color:#5a676d;font-size:.875rem}" +
  "dd{margin:0 0 .75rem;overflow-wrap:anywhere}a{color:var(--accent,#0b6e6e)}" +
  "button{background:var(--accent,#0b6e6e);border:0;border-radius:4px;color:var(--accent-ink,#fff);cursor:pointer;" +
  "font:inherit;font-weight:600;margin-top:.5rem;min-height:2.75rem;padding:.5rem 1.5rem;width:100%}" +
  "@media(prefers-color-scheme:dark){body{background:#080b0d;color:#e3e8ea}main{background:#0e1214}dt{color:#8e9ba2}a{color:inherit}}";

/** The page loads only the venue's logo and colors, cannot be framed, and sends no referrer. */
const HEADERS: readonly string[] = [
  "Content-Security-Policy",
  "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; " +
    "base-uri 'none'",
  "Referrer-Policy",
  "no-referrer",
];

function rows(pairs: readonly (readonly [name: string, value: string])[]): string {
  return `<dl>${pairs.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>`;
}

/** The relative URL of the node from the page, whose path has two segments. */
const UP = "../";

const METHODS = "GET, HEAD, POST";

interface Page {
  readonly status: number;
  readonly title: string;
  /** Plain text. */
  readonly text?: string;
  /** Markup from `rows`, and of the button. */
  readonly markup?: string;
}

type Texts = (words: ConfirmationWords) => Page;

const OVER: Texts = ({ over, whyOver }) => ({ status: 410, title: over, text: whyOver });
/** The link to the account, where the customer follows or cancels the withdrawal. */
const toAccount = (words: ConfirmationWords): string =>
  `<p><a href="${UP}account/#/history?kind=withdrawals">${escaped(words.toAccount)}</a></p>`;
const confirmedPage = (words: ConfirmationWords, text: string): Page => {
  return { status: 200, title: words.confirmed, text, markup: toAccount(words) };
};
const PROCESSING: Texts = (words) => confirmedPage(words, words.processing);
const APPROVAL: Texts = (words) => confirmedPage(words, words.awaitsApproval);
const WRONG_METHOD: Texts = ({ wrongMethod }) => ({ status: 405, title: wrongMethod });

export class WithdrawalConfirmation {
  readonly #venue: Venue;
  readonly #branding: EmailedPageBranding;

  constructor(venue: Venue, branding = UNBRANDED) {
    this.#venue = venue;
    this.#branding = branding;
  }

  /** `query` contains the id and the secret. `answer` is called once with the page. */
  process(method: string, query: string, answer: (page: Document) => void): void {
    const sent = new URLSearchParams(query);
    const withdrawalId = sent.get("id") ?? "";
    const hash = this.#venue.walletPorts.confirmations.hashOf(sent.get("secret") ?? "");
    const words = this.#wordsFor(withdrawalId, hash);
    const show = (page: Texts): void => answer(this.#document(page(words), words.language));
    if (method === "GET") show(this.#question(withdrawalId, hash));
    else if (method === "POST") this.#confirm(withdrawalId, hash, show);
    else answer({ ...this.#document(WRONG_METHOD(words), words.language), headers: ["Allow", METHODS] });
  }

  /** The texts in the customer's language; in that of the venue if the link is of no known withdrawal. */
  #wordsFor(withdrawalId: string, hash: string): ConfirmationWords {
    const { engine } = this.#venue;
    const withdrawal = engine.funds.withdrawal(withdrawalId);
    const isKnown = withdrawal !== undefined && withdrawal.confirmationHash === hash;
    return confirmationWords(isKnown ? languageIn(engine, withdrawal.accountId) : undefined, this.#branding.language);
  }

  #document({ status, title, text, markup = "" }: Page, language: string): Document {
    const { name, logo, colors } = this.#branding.page;
    const image = logo === null ? "" : `<img src="${UP}${logo}" alt="">`;
    const brand =
      name === null && logo === null ? "" : `<p class="brand">${image}<span>${escaped(name ?? "")}</span></p>`;
    const shown = escaped(title);
    return {
      status,
      contentType: "text/html;charset=UTF-8",
      headers: HEADERS,
      body:
        `<!doctype html><html lang="${language}" data-theme="light"><head><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width"><title>${shown}${name === null ? "" : ` · ${escaped(name)}`}</title>` +
        `${colors === null ? "" : `<link rel="stylesheet" href="${UP}${colors}">`}<style>${STYLE}</style></head>` +
        `<body><main>${brand}<h1>${shown}</h1>${text === undefined ? "" : `<p>${escaped(text)}</p>`}${markup}</main></body></html>`,
    };
  }

  /** The withdrawal that the link can still confirm; undefined if there is none. */
  #waiting(withdrawalId: string, hash: string): WithdrawalRecord | undefined {
    const withdrawal = this.#venue.engine.funds.withdrawal(withdrawalId);
    return withdrawal?.status === "emailSent" && withdrawal.confirmationHash === hash ? withdrawal : undefined;
  }

  #question(withdrawalId: string, hash: string): Texts {
    const withdrawal = this.#waiting(withdrawalId, hash);
    if (withdrawal === undefined) return OVER;
    // Submits to the page's own address, which contains the id and the secret.
    return (words) => ({
      status: 200,
      title: words.ask,
      markup:
        `${this.#description(withdrawal, words)}<form method="post"><button>${escaped(words.confirm)}</button></form>` +
        `<p>${escaped(words.notYours)}</p>${toAccount(words)}`,
    });
  }

  #description(
    { assetId, amount, fee, network, address, tag, name }: WithdrawalRecord,
    words: ConfirmationWords,
  ): string {
    const { engine } = this.#venue;
    const { spec } = engine.asset(assetId);
    const of = (units: bigint): string =>
      `${words.decimal(carriedText(spec, "withdrawStep", units, network))} ${spec.asset}`;
    return rows([
      [words.amount, of(amount)],
      [words.fee, of(fee)],
      [words.receives, of(amount - fee)],
      [words.via, network],
      [words.to, address],
      ...(tag === "" ? [] : [[words.tag, tag] as const]),
      ...(name === "" ? [] : [[words.recipient, name] as const]),
    ]);
  }

  /** Looks the withdrawal up before submitting a command, so that guesses do not fill the journal. */
  #confirm(withdrawalId: string, hash: string, show: (page: Texts) => void): void {
    if (this.#waiting(withdrawalId, hash) === undefined) {
      show(OVER);
      return;
    }
    const command = { type: "confirmWithdrawal", withdrawalId, confirmationHash: hash } as const;
    this.#venue.sequencer.submit(command, (outcome: Outcome | Error) => {
      if (outcome instanceof Error) show(unavailablePage(outcome));
      else show(pageAfter(outcome.events[0]));
    });
  }
}

/** The page that shows the next step of the withdrawal. */
function pageAfter(event: Event | undefined): Texts {
  if (event?.type !== "withdrawalChanged") return OVER;
  return event.status === "awaitingApproval" ? APPROVAL : PROCESSING;
}

function unavailablePage(error: Error): Texts {
  const { status } = diagnose(error).error;
  return ({ unavailable, openAgain }) => ({ status, title: unavailable, text: openAgain });
}
