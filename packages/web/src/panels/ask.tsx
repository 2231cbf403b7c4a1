/** A question that must be answered before something is sent. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask as words } from "../words/words.ts";

export interface Question {
  readonly title: string;
  /** Names and values, in their order. */
  readonly facts: readonly (readonly [string, string])[];
  /** What the button says that answers yes. */
  readonly yes: string;
  /** What the button says that answers no, where that is not "Cancel". */
  readonly no?: string;
  readonly tone?: "buy" | "sell";
}

interface Asked extends Question {
  readonly answer: (yes: boolean) => void;
}

export interface Ask {
  readonly open: ReadonlySignal<Asked | null>;
  /** Whether the answer was yes. A question that is still open is answered with no. */
  readonly confirm: (question: Question) => Promise<boolean>;
}

export function openAsk(): Ask {
  const open = signal<Asked | null>(null);
  return {
    open,
    confirm(question) {
      open.peek()?.answer(false);
      return new Promise((resolve) => {
        const answer = (yes: boolean): void => {
          open.value = null;
          resolve(yes);
        };
        open.value = { ...question, answer };
      });
    },
  };
}

/** The window with the question. Escape and its cross answer no. */
export function AskDialog({ ask }: { ask: Ask }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const asked = ask.open.value;
  useEffect(() => {
    if (asked === null) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [asked]);
  return (
    <dialog ref={dialog} aria-labelledby="ask-title" onClose={() => ask.open.peek()?.answer(false)}>
      {asked !== null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            asked.answer(true);
          }}
        >
          <div class="dialog-head">
            <h2 id="ask-title">{asked.title}</h2>
          </div>
          <div class="body">
            <dl class="facts">
              {asked.facts.map(([name, value]) => (
                <>
                  <dt key={`${name}/name`}>{name}</dt>
                  <dd key={name}>{value}</dd>
                </>
              ))}
            </dl>
          </div>
          <div class="foot">
            <button type="button" class="button" onClick={() => asked.answer(false)}>
              {asked.no ?? words.no}
            </button>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the answer that was asked for is one key away */}
            <button
              type="submit"
              class={asked.tone === undefined ? "button primary" : `button submit ${asked.tone}`}
              autofocus
            >
              {asked.yes}
            </button>
          </div>
        </form>
      )}
    </dialog>
  );
}
