const COMPACTABLE = new Set(['Read', 'Bash', 'PowerShell', 'Grep', 'Glob', 'WebSearch', 'WebFetch', 'Edit', 'Write']);

/** Can the results of this tool be cleared? They can be had again. [CMP-053] */
export const isCompactable = (tool) => COMPACTABLE.has(tool);
