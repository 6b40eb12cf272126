/** Names of the list of users in a JSON file: there it is found before anything is known about the columns. */
export const usualLists = ['users', 'Users', 'Resources'];

/** What phpMyAdmin writes about itself. */
export const phpMyAdmin = /phpmyadmin/i;

/** Lists of users with other names, each with a member at the beginning of the file by which its system is recognized. */
export const listsOfSystems: readonly { member: RegExp; value?: RegExp; list: string }[] = [
  // OData, such as Microsoft Graph.
  { member: /^@odata\./, list: 'value' },
  { member: /^comment$/, value: phpMyAdmin, list: 'data' },
];
