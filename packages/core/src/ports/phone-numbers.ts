/** Normalizes the phone numbers of candidates. */
export interface PhoneNumbers {
  /**
   * Returns the number in E.164 (`+14155550123`), or null if it is not a possible number or has an extension.
   *
   * @param country - the country of the job, as an ISO 3166 code or an English name. It applies to numbers without a
   *   country code. If it is unknown, only international numbers are accepted.
   */
  normalize(phone: string, country: string): string | null;
}
