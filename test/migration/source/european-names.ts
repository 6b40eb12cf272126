/** People of countries whose names have letters that Windows-1252 contains, or does not contain. */
export const western = {
  German: 'Jürgen Müller,Käthe Schröder,Björn Weiß,Günther Jäger,Jörg Strauß,Özgür Yilmaz,Peter Kühn',
  French:
    'François Lefèvre,Hélène Bérénger,Zoé Brûlé,Benoît Gérard,Anaïs Lecœur,Renée Garçon,André Crépeau,Jérôme Bézier,Aimée Chénier,Désiré Thévenet,Éloïse Pépin,Noël Fénelon,Cédric Mérimée',
  Spanish: 'José Muñoz,María Ibáñez,Mª Ángeles Peña,Íñigo Núñez,Sofía Güell,Raúl Gómez,Jesús Martínez',
  Portuguese: 'João Simões,Conceição Guimarães,António Camões,Inês Assunção,Luís Leitão,Sebastião Brandão',
  Italian: 'Niccolò Forlì,Mattìa Donà,Giosuè Pelù,Nicolò Salomè,Noemì Marrè',
  Swedish: 'Åsa Öberg,Björn Sjöström,Märta Åkesson,Jörgen Håkansson,Göran Löfgren',
  Danish: 'Søren Kjær,Bjørn Sørensen,Åse Ørsted,Jørgen Bæk,Løvgreen Mærsk',
  Irish: 'Seán Ó Briain,Siobhán Ní Mháille,Éamon D´Arcy,Pádraig Gal·la',
} as const;

/** Names of Eastern Europe, by an encoding that has them. */
export const eastern = {
  'windows-1250': [
    'Łukasz Wiśniewski,Anna Kamińska,Paweł Wójcik,Piotr Zieliński,Andrzej Jabłoński,Michał Dąbrowski,Ewa Szymańska',
    'Jiří Novák,Tomáš Dvořák,Petr Černý,Jana Němcová,Lukáš Růžička,Marek Veselý,Ondřej Procházka',
    'Ľubomír Kováč,Žofia Šťastná,Matúš Ďurica,Zuzana Nagyová,Ján Krajčír',
    'Željko Šarić,Đurđa Čović,Nikola Petrović,Dražen Žižić,Ana Horvatić',
    'Szőcs Gergő,Nagy László,Kovács János,Szűcs Zoltán,Vörös Jenő,Mészáros Ágnes,Tóth Éva,Győri Béla,Kiss Ernő',
    'Ionuţ Şerban,Mădălina Bălan,Cătălin Ştefănescu,Gheorghiţă Niţu,Andreea Vlăduţ',
  ],
  'iso-8859-2': ['Łukasz Wiśniewski,Paweł Wójcik,Anna Kamińska', 'Tomáš Dvořák,Lukáš Růžička,Žaneta Šimková'],
  'windows-1254': ['Ayşe Yılmaz,Mehmet Şahin,Gülşen Öztürk,Çağlar İnan,Işıl Doğan,Uğur Güneş'],
  'windows-1257': ['Rūta Žukauskienė,Jānis Bērziņš,Šarūnas Jasikevičius,Ģirts Ķēniņš,Žydrūnas Ilgauskas'],
} as const;
