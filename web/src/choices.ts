// Choices of one action or several, as puzzles write them; in which order the steps were taken does not matter.

const PLUS = ' + ';

export const stepsOf = (choice: string): string[] => choice.split(PLUS);

/** The same for all orders. */
export const keyOf = (steps: readonly string[]): string => [...steps].sort().join(PLUS);
