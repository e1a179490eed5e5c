/** The part of better-auth's server that the page calls. */
export const auth = {
  api: {
    getSession: async ({ headers }: { headers: Headers }) =>
      headers.get('cookie') === 'better-auth.session_token=ada'
        ? { user: { id: 'user_42', name: 'Ada', email: 'ada@example.com' } }
        : null,
    signOut: async (_: { headers: Headers; asResponse: true }) =>
      new Response(null, { headers: { 'set-cookie': 'better-auth.session_token=; Max-Age=0' } }),
  },
};
