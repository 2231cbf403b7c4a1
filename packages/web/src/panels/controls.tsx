/** Shared controls of all pages: buttons, fields, dialogs, confirmations, tabs and icons. */
import type { ComponentChildren, JSX, TargetedEvent } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { ask as words, pagesWords } from "../words/words.ts";
import { type ReadonlySignal, signal } from "@preact/signals";

/** Icons in the color of the text. The label belongs to the button that contains the icon. */
const PATHS = {
  down: "M4 6l4 4 4-4",
  gear: "M8 5.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4",
  keyboard: "M1.5 4.5h13v7h-13zM4 7h.01M6.7 7h.01M9.3 7h.01M12 7h.01M5 9.3h6",
  person: "M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zM2.8 13.6c.5-2.5 2.5-3.9 5.2-3.9s4.700 1.400 5.200 3.900",
  star: "M8 2l1.800 3.800 4.100.5-3 2.900.8 4.100L8 11.300l-3.700 2 .8-4.100-3-2.900 4.100-.5z",
  cross: "M4 4l8 8M12 4l-8 8",
  lines: "M2 4h12M2 8h12M2 12h12",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

// Buttons and fields.

/** A button that does not submit its form. */
export function Button({ class: name = "button", ...button }: JSX.IntrinsicElements["button"]) {
  return <button {...button} type="button" class={name} />;
}

/** What a text field shows and changes: a signal, or a part of a larger value. */
export interface TypedText {
  value: string;
}

/** The attributes that bind a text field. */
export const bind = (text: TypedText) => ({
  value: text.value,
  onInput: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) => {
    text.value = value;
  },
});

interface SelectProps {
  readonly id?: string;
  readonly name?: string;
  readonly class?: string;
  readonly title?: string;
  readonly "aria-label"?: string;
  readonly "aria-describedby"?: string | undefined;
  readonly disabled?: boolean;
  readonly value: string | number;
  readonly options: readonly (readonly [value: string | number, label: string])[];
  readonly onChoose: (value: string) => void;
  readonly children?: ComponentChildren;
}

/** `children` are additional options, shown before `options`. */
export function Select({ options, onChoose, children, ...select }: SelectProps) {
  return (
    <select {...select} onChange={({ currentTarget: { value } }) => onChoose(value)}>
      {children}
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

interface TickProps {
  readonly name?: string;
  readonly "aria-label"?: string;
  readonly class?: string;
  /** The tooltip text. */
  readonly title?: string;
  readonly isOn: boolean;
  readonly onTick: (isOn: boolean) => void;
  readonly children?: ComponentChildren;
}

/** A checkbox with its label. */
export function Tick({ isOn, onTick, class: name = "tick", title, children, ...input }: TickProps) {
  return (
    <label class={name} {...(title !== undefined && { title })}>
      <input {...input} type="checkbox" checked={isOn} onChange={({ currentTarget: { checked } }) => onTick(checked)} />
      {children}
    </label>
  );
}

/** The submit handler of a form that is sent by script. A problem that it shows at once is brought into view. */
export const onSubmitOf = (send: (form: HTMLFormElement) => void) => (event: TargetedEvent<HTMLFormElement>) => {
  const form = event.currentTarget;
  event.preventDefault();
  send(form);
  requestAnimationFrame(() => {
    const field = form.querySelector<HTMLElement>(".entry.bad :is(input, select, textarea)");
    if (field !== null) field.focus();
    else form.querySelector(".problem, [role=alert]")?.scrollIntoView({ block: "nearest" });
  });
};

// A dialog with a title and a close button. Escape closes it.

interface WindowProps {
  readonly title: string;
  readonly class?: string;
  /** Whether it is read before something is typed into it: then no field has the focus at first. */
  readonly isRead?: boolean;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

export function Window({ isRead = false, ...props }: WindowProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // The browser's `close` event arrives late: another dialog may be open by then, and keys pressed in the meantime
  // would still go to this one. So Escape and clicks are reported at once, and only once.
  const isGone = useRef(false);
  const leave = (): void => {
    if (isGone.current) return;
    isGone.current = true;
    props.onClose();
  };
  // Runs before the browser paints, so that keys typed right after the opening key go to the dialog.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // The first field gets the focus, not the close button. On a phone, the keyboard would cover the dialog.
    const isTouched = matchMedia("(pointer: coarse)").matches;
    const field = isTouched || isRead ? null : shown?.querySelector("input");
    (field ?? shown)?.focus();
    return () => {
      isGone.current = true;
      shown?.close();
    };
  }, [isRead]);
  // The target of a click on the backdrop is the dialog itself. Such a click closes the dialog, as does Escape.
  useLayoutEffect(() => {
    const shown = dialog.current;
    const leaveBeside = (event: MouseEvent): void => {
      if (event.target === shown) leave();
    };
    shown?.addEventListener("click", leaveBeside);
    return () => shown?.removeEventListener("click", leaveBeside);
  });
  return (
    <dialog
      ref={dialog}
      class={props.class ?? ""}
      tabIndex={-1}
      aria-label={props.title}
      onCancel={leave}
      onClose={leave}
    >
      <div class="dialog-head">
        <h2>{props.title}</h2>
        <Button class="quiet" aria-label={pagesWords.close} onClick={leave}>
          <Icon name="cross" />
        </Button>
      </div>
      {props.children}
    </dialog>
  );
}

// Confirmations before a request is sent.

/** Labels and values, in display order. */
export type Facts = readonly (readonly [string, string])[];

export interface FactGroup {
  readonly title: string;
  readonly facts: Facts;
}

export interface Question {
  readonly title: string;
  readonly facts: Facts;
  /** Further facts under headings, such as those of the legs of an order list. */
  readonly groups?: readonly FactGroup[];
  readonly warnings?: readonly string[];
  /** The label of the confirming button. */
  readonly yes: string;
  /** The label of the declining button; "Cancel" if absent. */
  readonly no?: string;
  readonly tone?: "buy" | "sell";
}

interface OpenQuestion extends Question {
  readonly answer: (yes: boolean) => void;
}

export interface Ask {
  readonly open: ReadonlySignal<OpenQuestion | null>;
  /** Resolves to true if the user confirms. If another confirmation is still open, that one resolves to false. */
  readonly confirm: (question: Question) => Promise<boolean>;
}

export function openAsk(): Ask {
  const open = signal<OpenQuestion | null>(null);
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

function FactList({ facts }: { facts: Facts }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt key={`${name}/name`}>{name}</dt>
          <dd key={name}>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** The confirmation dialog. Escape and the close button decline. */
export function AskDialog({ ask }: { ask: Ask }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const openQuestion = ask.open.value;
  useEffect(() => {
    if (openQuestion === null) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  }, [openQuestion]);
  return (
    <dialog ref={dialog} aria-labelledby="ask-title" onClose={() => ask.open.peek()?.answer(false)}>
      {openQuestion !== null && (
        <form onSubmit={onSubmitOf(() => openQuestion.answer(true))}>
          <div class="dialog-head">
            <h2 id="ask-title">{openQuestion.title}</h2>
          </div>
          <div class="body">
            {openQuestion.facts.length > 0 && <FactList facts={openQuestion.facts} />}
            {openQuestion.groups?.map(({ title, facts }) => (
              <section key={title} aria-label={title}>
                <h3>{title}</h3>
                <FactList facts={facts} />
              </section>
            ))}
            {openQuestion.warnings?.map((text) => (
              <p key={text} class="warning">
                {text}
              </p>
            ))}
          </div>
          <div class="foot">
            <Button onClick={() => openQuestion.answer(false)}>{openQuestion.no ?? words.no}</Button>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the expected answer is one key away */}
            <button
              type="submit"
              class={openQuestion.tone === undefined ? "button primary" : `button submit ${openQuestion.tone}`}
              autofocus
            >
              {openQuestion.yes}
            </button>
          </div>
        </form>
      )}
    </dialog>
  );
}

// A row of tabs. Arrow keys move between tabs; the Tab key reaches only the selected one.

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly count?: number;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  /** The ID of the element that the tab shows. */
  readonly controls?: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
  readonly onChoose: (name: Name) => void;
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { tabs, chosen } = props;

  function walk(event: KeyboardEvent): void {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    props.onChoose(next.name);
    const list = (event.currentTarget as HTMLElement).parentElement;
    list?.querySelectorAll<HTMLElement>('[role="tab"]').item(tabs.indexOf(next)).focus();
  }

  return (
    <div class={`tabs ${props.class ?? ""}`}>
      <div class="tab-list" role="tablist" aria-label={props.label}>
        {tabs.map(({ name, label, count }) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            aria-controls={props.controls}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => props.onChoose(name)}
            onKeyDown={walk}
          >
            {label}
            {count !== undefined && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      {props.children !== undefined && <div class="rest">{props.children}</div>}
    </div>
  );
}
