export const shell = {
  siteTitle: 'Posts administration',
  skip: 'Skip to content',
  menu: 'Main menu',
  openMenu: 'Open the menu',
  loading: 'Loading…',
  close: 'Close',
  account: 'Account %{name}',
  notFound: {
    title: 'Page not found',
    text: 'There is nothing at this address. It may have been mistyped, or what stood here was removed.',
    home: 'Go to the start page',
  },
  failed: {
    title: 'This did not work',
    unreachable: 'The service cannot be reached. It may be stopped, or the network may be down.',
    again: 'Try again',
    requestId: 'Request id: %{id}',
    page: 'This page could not be shown',
    reload: 'Reload the page',
  },
  leave: {
    title: 'Leave without saving?',
    text: 'What you changed on this page will be lost.',
    stay: 'Stay',
    leave: 'Leave',
  },
};
