/** The HTML version of an email, made from its text: paragraphs, tables of facts, and links on lines of their own. */
import { escaped } from "../../api/web/html.ts";

/** How the HTML version looks. */
export interface EmailLook {
  /** The venue's name; null if none is configured. */
  readonly name: string | null;
  /** The color of the line at the top and of links. */
  readonly accent: string;
  /** The content ID of the attached logo; null if there is none. */
  readonly logoId: string | null;
}

const DEFAULT_ACCENT = "#0b6e6e";
export const PLAIN_LOOK: EmailLook = { name: null, accent: DEFAULT_ACCENT, logoId: null };

/** A line that consists of one URL. Untrusted text is never on a line of its own without quotes. */
const ONE_URL = /^https?:\/\/\S+$/;
/** A line of facts, as `linesOf` writes it. */
const FACT = /^ {2}([^:]+): +(.*)$/;

export function htmlOf(text: string, { name, accent, logoId }: EmailLook): string {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== "");
  const logo =
    logoId === null ? "" : `<img src="cid:${escaped(logoId)}" alt="" height="32" style="height:32px">&nbsp; `;
  const head =
    name === null && logoId === null
      ? ""
      : `<p style="margin:0 0 20px;font-size:18px;font-weight:600">${logo}${escaped(name ?? "")}</p>`;
  return (
    '<!doctype html><html><head><meta charset="utf-8"></head>' +
    "<body style=\"margin:0;padding:24px 12px;font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;color:#172023\">" +
    `<div style="max-width:600px;margin:0 auto;border-top:4px solid ${escaped(accent)};padding-top:20px">${head}` +
    `${blocks.map((block) => blockOf(block, accent)).join("")}</div></body></html>`
  );
}

function blockOf(block: string, accent: string): string {
  const lines = block.split("\n").filter((line) => line !== "");
  if (lines.every((line) => FACT.test(line))) return tableOf(lines);
  if (lines.length === 1 && ONE_URL.test(lines[0] ?? "")) {
    const url = escaped(lines[0] ?? "");
    return `<p style="overflow-wrap:anywhere"><a href="${url}" style="color:${escaped(accent)}">${url}</a></p>`;
  }
  return `<p style="overflow-wrap:anywhere">${escaped(lines.join(" "))}</p>`;
}

function tableOf(lines: readonly string[]): string {
  const rows = lines.map((line) => {
    const [, label = "", value = ""] = FACT.exec(line) ?? [];
    return (
      `<tr><th style="text-align:left;vertical-align:top;padding:2px 16px 2px 0;font-weight:600">${escaped(label)}</th>` +
      `<td style="padding:2px 0;overflow-wrap:anywhere">${escaped(value)}</td></tr>`
    );
  });
  return `<table style="border-collapse:collapse;margin:16px 0">${rows.join("")}</table>`;
}
