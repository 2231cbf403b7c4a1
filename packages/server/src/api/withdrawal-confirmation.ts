/**
 * The page that the link in a withdrawal confirmation email opens. Opening it changes nothing, because mail scanners
 * also open links; the button on the page confirms the withdrawal.
 */
import type { Document } from "./edge/request.ts";
import type { Event, WithdrawalRecord } from "@pricetime/engine";
import type { Outcome } from "../journal/sequencer/port.ts";
import type { Venue } from "./call.ts";
import { diagnose } from "./responder.ts";
import { escaped } from "./web/html.ts";
import { amountText } from "../history/shapes/amounts.ts";

// Builds a small HTML page in which all values are escaped.

const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;margin:3rem auto;max-width:40rem;padding:0 1rem}" +
  "dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}button{font:inherit;padding:.5rem 2rem}";

/** The page loads nothing, cannot be framed, and sends no referrer. */
const HEADERS: readonly string[] = [
  "Content-Security-Policy",
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Referrer-Policy",
  "no-referrer",
];

/** Each of `parts` is plain text, or markup from `rows`. */
function page(status: number, title: string, parts: readonly string[]): Document {
  return {
    status,
    contentType: "text/html;charset=UTF-8",
    headers: HEADERS,
    body:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      `<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>` +
      `<body><main><h1>${title}</h1>${parts.map((part) => (part.startsWith("<") ? part : `<p>${part}</p>`)).join("")}` +
      "</main></body></html>",
  };
}

function rows(pairs: readonly (readonly [name: string, value: string])[]): string {
  return `<dl>${pairs.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>`;
}

const METHODS = "GET, HEAD, POST";

const OVER = page(410, "This link is no longer valid", [
  "The withdrawal was already confirmed or has ended, or the link is incomplete. Its status is on the Withdraw page of your account.",
]);
const PROCESSING = page(200, "Withdrawal confirmed", ["Your withdrawal is being processed. You can close this page."]);
const AWAITS_APPROVAL = page(200, "Withdrawal confirmed", [
  "Your withdrawal is awaiting approval by the exchange. You can close this page.",
]);
const WRONG_METHOD: Document = {
  ...page(405, "Method not allowed", []),
  headers: ["Allow", METHODS],
};

export class WithdrawalConfirmation {
  readonly #venue: Venue;

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  /** `query` contains the id and the secret. `answer` is called once with the page. */
  process(method: string, query: string, answer: (page: Document) => void): void {
    const sent = new URLSearchParams(query);
    const withdrawalId = sent.get("id") ?? "";
    const hash = this.#venue.walletPorts.confirmations.hashOf(sent.get("secret") ?? "");
    if (method === "GET") answer(this.#question(withdrawalId, hash));
    else if (method === "POST") this.#confirm(withdrawalId, hash, answer);
    else answer(WRONG_METHOD);
  }

  /** The withdrawal that the link can still confirm; undefined if there is none. */
  #waiting(withdrawalId: string, hash: string): WithdrawalRecord | undefined {
    const withdrawal = this.#venue.engine.funds.withdrawal(withdrawalId);
    return withdrawal?.status === "emailSent" && withdrawal.confirmationHash === hash ? withdrawal : undefined;
  }

  #question(withdrawalId: string, hash: string): Document {
    const withdrawal = this.#waiting(withdrawalId, hash);
    if (withdrawal === undefined) return OVER;
    return page(200, "Confirm your withdrawal", [this.#description(withdrawal), CONFIRM_BUTTON]);
  }

  #description({ assetId, amount, fee, network, address, tag }: WithdrawalRecord): string {
    const { engine } = this.#venue;
    const { asset } = engine.asset(assetId).spec;
    return rows([
      ["Amount", `${amountText(engine, assetId, amount)} ${asset}`],
      ["Fee (included)", `${amountText(engine, assetId, fee)} ${asset}`],
      ["Network", network],
      ["Address", address],
      ...(tag === "" ? [] : [["Tag", tag] as const]),
    ]);
  }

  /** Looks the withdrawal up before submitting a command, so that guesses do not fill the journal. */
  #confirm(withdrawalId: string, hash: string, answer: (page: Document) => void): void {
    if (this.#waiting(withdrawalId, hash) === undefined) {
      answer(OVER);
      return;
    }
    const command = { type: "confirmWithdrawal", withdrawalId, confirmationHash: hash } as const;
    this.#venue.sequencer.submit(command, (outcome: Outcome | Error) => {
      if (outcome instanceof Error) answer(unavailablePage(outcome));
      else answer(pageAfter(outcome.events[0]));
    });
  }
}

/** The page that shows the next step of the withdrawal. */
function pageAfter(event: Event | undefined): Document {
  if (event?.type !== "withdrawalChanged") return OVER;
  return event.status === "awaitingApproval" ? AWAITS_APPROVAL : PROCESSING;
}

/** Submits to the page's own address, which contains the id and the secret. */
const CONFIRM_BUTTON = '<form method="post"><button>Confirm withdrawal</button></form>';

function unavailablePage(error: Error): Document {
  const { status } = diagnose(error).error;
  return page(status, "Temporarily unavailable", [
    "Open the link again in a moment. The page then shows whether the withdrawal still needs to be confirmed.",
  ]);
}
