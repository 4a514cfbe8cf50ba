/** Returns the path of the page that starts a trial authorization of an application. */
export const trialPath = (applicationId: number): string =>
  `/user_settings/applications/${applicationId}/try`;
