/** Icons, in the colour of the text. The button that holds one has the label. */
const PATHS = {
  down: "M4 6l4 4 4-4",
  gear: "M8 5.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4",
  keyboard: "M1.5 4.5h13v7h-13zM4 7h.01M6.7 7h.01M9.3 7h.01M12 7h.01M5 9.3h6",
  person: "M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zM2.8 13.6c.5-2.5 2.5-3.9 5.2-3.9s4.700 1.400 5.200 3.900",
  star: "M8 2l1.800 3.800 4.100.5-3 2.900.8 4.100L8 11.300l-3.700 2 .8-4.100-3-2.900 4.100-.5z",
  cross: "M4 4l8 8M12 4l-8 8",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
