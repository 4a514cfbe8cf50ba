/** Returns the path of the page that starts the trial of an application. */
export const trialPath = (applicationId: number): string =>
  `/user_settings/applications/${applicationId}/try`;
