/** The rights of partners beyond the four routes. The API, the guides and the reference use this value. */
export const SELF_SERVICE = { events: true };

/** How partners reach the operator. The pages, the reference and messages name it. */
export const SUPPORT = { email: 'partners@hiring.example.com' };
