/** A button that opens a small sheet below it: Escape and a press elsewhere close it. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

interface MenuProps {
  readonly label: string;
  readonly title?: string;
  /** The path of a drawing that a phone shows instead of the label, which stays the name. */
  readonly icon?: string;
  readonly isPressed?: boolean;
  /** The sheet's contents, made by a function that gets the means to close it. */
  readonly children: (close: () => void) => ComponentChildren;
}

export function Menu({ label, title, icon, isPressed = false, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isOpen) return;
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", onPress, true);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", onPress, true);
      document.removeEventListener("keydown", onKey, true);
    };
  }, [isOpen]);

  return (
    <div class="chart-menu" ref={root}>
      <button
        ref={button}
        type="button"
        class={isPressed ? "chart-tool is-on" : "chart-tool"}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={title ?? label}
        onClick={() => setOpen(!isOpen)}
      >
        <span class={icon === undefined ? "" : "unseen-narrow"}>{label}</span>
        {icon === undefined ? null : (
          <svg class="icon seen-narrow" viewBox="0 0 16 16" aria-hidden="true">
            <path d={icon} />
          </svg>
        )}
        <span class="chart-caret" aria-hidden="true" />
      </button>
      <div id={id} class="chart-sheet" hidden={!isOpen}>
        {isOpen ? children(() => setOpen(false)) : null}
      </div>
    </div>
  );
}
