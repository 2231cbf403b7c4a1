/** The confirmation before an order on the chart is moved or canceled. Escape and the "Keep" button decline. */
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { ASK } from "../words/words.ts";
import { type Consequences, type LineEdit, type LineEditor, lineWords } from "./line-edit.ts";
import type { OrderLine } from "./order-lines.ts";

interface LineAskProps {
  readonly editor: LineEditor;
  readonly consequences: (line: OrderLine, to: string) => Consequences;
}

function Question({ edit, editor, consequences }: LineAskProps & { readonly edit: LineEdit }) {
  const yes = useRef<HTMLButtonElement>(null);
  const id = useId();
  // Moves the focus before the next frame, because the user may press a key earlier.
  useLayoutEffect(() => {
    const before = document.activeElement;
    yes.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const words = lineWords(edit.line);
  const { distance, total } = consequences(edit.line, edit.to);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape declines
    <div
      class="chart-ask"
      role="alertdialog"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        editor.abort();
      }}
    >
      <p id={id}>{edit.action === "move" ? ASK.move(words, edit.to) : ASK.cancel(words)}</p>
      {edit.action === "cancel" ? null : (
        <p class="chart-ask-facts">{[distance, total].filter((text) => text !== null).join(" · ")}</p>
      )}
      <div class="chart-ask-answers">
        <button type="button" ref={yes} class="chart-yes" onClick={() => void editor.confirm()}>
          {edit.action === "move" ? ASK.yesMove : ASK.yesCancel}
        </button>
        <button type="button" class="chart-no" onClick={() => editor.abort()}>
          {ASK.no}
        </button>
      </div>
    </div>
  );
}

export function LineAsk(props: LineAskProps) {
  const edit = props.editor.edit.value;
  return edit?.step === "ask" ? <Question {...props} key={`${edit.line.key} ${edit.to}`} edit={edit} /> : null;
}
