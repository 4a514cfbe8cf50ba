/** What docs/api-access.md says, as the table has it now. */
export function accessDocument(): string;
