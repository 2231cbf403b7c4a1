/** Asks once more before an order is moved or cancelled; Escape and a press on "Keep" leave all as it is. */
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { ASK } from "../words/words.ts";
import { lineWords } from "./drawn-lines.ts";
import type { LineEdit, LineEditor } from "./line-edit.ts";

function Question({ edit, editor }: { edit: LineEdit; editor: LineEditor }) {
  const yes = useRef<HTMLButtonElement>(null);
  const id = useId();
  // The focus moves at once: the key that answers may come before the next frame.
  useLayoutEffect(() => {
    const before = document.activeElement;
    yes.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const words = lineWords(edit.line);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape says no
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
      <p id={id}>{edit.act === "move" ? ASK.move(words, edit.to) : ASK.cancel(words)}</p>
      <div class="chart-ask-answers">
        <button type="button" ref={yes} class="chart-yes" onClick={() => void editor.confirm()}>
          {edit.act === "move" ? ASK.yesMove : ASK.yesCancel}
        </button>
        <button type="button" class="chart-no" onClick={() => editor.abort()}>
          {ASK.no}
        </button>
      </div>
    </div>
  );
}

export function LineAsk({ editor }: { editor: LineEditor }) {
  const edit = editor.edit.value;
  return edit?.step === "ask" ? <Question key={`${edit.line.key} ${edit.to}`} edit={edit} editor={editor} /> : null;
}
