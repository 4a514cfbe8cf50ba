/** Returns the path of the page that shows a new secret of an application once. */
export const secretPageOf = (id: number): string => `/user_settings/applications/${id}/secret`;
