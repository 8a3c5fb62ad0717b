/** What stands in the place of a cleared result. [CMP-054] */
export const CLEARED = '[Old tool result content cleared]';
