/** Reads phone numbers as people write them. */
export interface PhoneNumbers {
  /**
   * The number in E.164 (`+14155550123`), or null if it cannot be one, or has an extension.
   *
   * @param country - where the job is: an ISO 3166 code or an English name; it decides what a number without
   *   a country code means. An unknown country leaves only international numbers.
   */
  normalize(phone: string, country: string): string | null;
}
