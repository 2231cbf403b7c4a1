/** A window over the page, with a name and a cross. Escape closes it, as the browser does. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { say } from "../words/words.ts";
import { Icon } from "./icons.tsx";

interface Props {
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

export function Window(props: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A dialog tells a moment later that it was closed: by then another window may be open, and a key pressed meanwhile
  // would still be this one's. So Escape and a click are told at once, and once.
  const isGone = useRef(false);
  const leave = (): void => {
    if (isGone.current) return;
    isGone.current = true;
    props.onClose();
  };
  // Before the browser draws: what is typed right after the key that opens it belongs to it.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // What is to be typed comes first, not the cross.
    shown?.querySelector("input")?.focus();
    return () => {
      isGone.current = true;
      shown?.close();
    };
  }, []);
  // What is clicked beside the window is its backdrop, which counts as the window itself. Escape does the same.
  useLayoutEffect(() => {
    const shown = dialog.current;
    const leaveBeside = (event: MouseEvent): void => {
      if (event.target === shown) leave();
    };
    shown?.addEventListener("click", leaveBeside);
    return () => shown?.removeEventListener("click", leaveBeside);
  });
  return (
    <dialog ref={dialog} class={props.class ?? ""} aria-label={props.title} onCancel={leave} onClose={leave}>
      <div class="dialog-head">
        <h2>{props.title}</h2>
        <button type="button" class="quiet" aria-label={say.close} onClick={leave}>
          <Icon name="cross" />
        </button>
      </div>
      {props.children}
    </dialog>
  );
}
