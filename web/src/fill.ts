/** A sentence with its gaps filled: `{who} draws {n} cards.` */
export const fill = (form: string, gaps: Record<string, string | number>): string =>
  form.replace(/\{(\w+)\}/g, (gap, name: string) => String(gaps[name] ?? gap));
