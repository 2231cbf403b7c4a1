/** What the console and the customers' pages say alike: their frame, their lists, and what became of requests, in English. */
export const pagesSay = {
  skip: "To the page",
  pages: "Pages",
  theme: "Dark or light",
  signOut: "Sign out",
  lookAt: "Look at it",
  // Requests.
  busy: "Sending …",
  fault: (what: string): string => `The answer could not be read: ${what}`,
  late: "No answer in time.",
  notPermitted: "Somebody with another role can do it.",
  outcomeUnknown: "Whether it was carried out is not known: look before you try again.",
  refused: (message: string, code: string): string => (code === "" ? message : `${message} ${code}`),
  working: (done: number, of: number): string =>
    `There are unusually many sign-in attempts. Your browser is completing a security check: ${done} of ${of}.`,
  // Lists.
  loading: "Fetching …",
  find: "Filter",
  findIn: (title: string): string => `Filter: ${title}`,
  noneFound: "No row has this.",
  csv: "CSV",
  csvWhole: "CSV, all",
  saveShown: (title: string): string => `CSV of what is shown: ${title}`,
  saveWhole: (title: string): string => `CSV, all: ${title}`,
  older: "Older",
  // Figures.
  noFigure: "–",
  ms: (value: string): string => `${value} ms`,
  perSecond: (value: string): string => `${value}/s`,
  days: (count: number): string => `${count} days`,
} as const;
