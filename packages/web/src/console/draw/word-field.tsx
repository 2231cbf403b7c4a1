/** A field in the line above a list: a name, an id or a number by which the list is chosen, as the node writes it. */

interface WordFieldProps {
  readonly label: string;
  /** What stands in it while nothing does; the label when absent. */
  readonly hint?: string;
  readonly isNumber?: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
}

export function WordField({ label, hint = label, isNumber = false, text, onText }: WordFieldProps) {
  return (
    <input
      type="text"
      inputMode={isNumber ? "numeric" : "text"}
      aria-label={label}
      placeholder={hint}
      autocapitalize="off"
      spellcheck={false}
      value={text}
      onInput={({ currentTarget: { value } }) => onText(value)}
    />
  );
}
