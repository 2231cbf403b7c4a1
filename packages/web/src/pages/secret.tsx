/** Secrets, which the node sends only once, and QR codes. */
import { Button } from "../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import { pagesWords as words } from "../words/words.ts";
import { generate } from "lean-qr";
import { useMemo } from "preact/hooks";
import { pathOf } from "../panels/svg-paths.ts";

type SecretName = keyof typeof words.secretNames;

const SECRETS: readonly SecretName[] = ["secretKey", "secret", "uri", "link"];

/** The secrets in a response, by name; empty if there are none. */
export function secretsOf(answer: unknown): [name: SecretName, value: string][] {
  if (typeof answer !== "object" || answer === null) return [];
  return SECRETS.flatMap((name): [SecretName, string][] => {
    const value: unknown = Reflect.get(answer, name);
    return typeof value === "string" ? [[name, value]] : [];
  });
}

interface Props {
  readonly answer: unknown;
  /** The text that explains what to do with the secrets. */
  readonly instruction: string;
  readonly onDone: () => void;
}

export function Once({ answer, instruction, onDone }: Props) {
  const secrets = secretsOf(answer);
  const apiKey: unknown = Reflect.get(answer as object, "apiKey");
  const all: [SecretName, string][] = typeof apiKey === "string" ? [["apiKey", apiKey], ...secrets] : secrets;
  return (
    <>
      <div class="body">
        {secrets.length > 0 && (
          <p class="warned" role="alert">
            {instruction}
          </p>
        )}
        {all.map(([name, value]) => (
          <Copied key={name} name={name} label={words.secretNames[name]} value={value} />
        ))}
      </div>
      <div class="foot">
        <Button class="button primary" onClick={onDone}>
          {words.iHaveIt}
        </Button>
      </div>
    </>
  );
}

interface CopiedProps {
  /** Identifies the text on the page. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** A text with a button that copies it. */
export function Copied({ name, label, value }: CopiedProps) {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      isCopied.value = true;
    } catch {
      // If the browser does not allow copying, the user can select the text.
    }
  };
  return (
    <div class="copied">
      <span class="muted">{label}</span>
      <code data-secret={name}>{value}</code>
      <Button aria-label={words.copyName(label)} onClick={() => void copy()}>
        {isCopied.value ? words.isCopied : words.copy}
      </Button>
    </div>
  );
}

// A QR code as an SVG path. It is dark on white in every theme, because cameras need the contrast.

/** The width of the white margin around the code in modules, as required by ISO 18004. */
const QUIET = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text);
    return { size: code.size, path: pathOf(code) };
  }, [text]);
  const whole = size + 2 * QUIET;
  return (
    <svg class="qr" viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`} role="img" aria-label={label}>
      <rect class="qr-ground" x={-QUIET} y={-QUIET} width={whole} height={whole} />
      <path class="qr-dark" d={path} shape-rendering="crispEdges" />
    </svg>
  );
}
