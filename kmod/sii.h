/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a slave's EEPROM through the ESC, ETG.1000.4 6.4 */
#ifndef KECAT_SII_H
#define KECAT_SII_H

#include <linux/types.h>

struct kecat_slave;

/*
 * Reads @words words from @word on into @buf; takes the EEPROM from the PDI
 * first and gives it back (0x0500).  0, -ENXIO, -EBUSY (stayed busy), -EIO
 * (error bits; checksum error alone is no failure), -EINTR, or what
 * kecat_xfer() returned.
 * Context: may sleep; caller holds the slave's sii_lock.
 */
int kecat_sii_read(struct kecat_slave *s, u32 word, u32 words, u8 *buf);
/*
 * Reads the image as far as its categories go into a kvmalloc'ed *@image.
 * Bounded by KECAT_SII_MAX, by the size the EEPROM claims and by the number of
 * categories.  Errors as above and -ENOMEM.
 * Context: may sleep; caller holds the slave's sii_lock.
 */
int kecat_sii_fetch(struct kecat_slave *s, u8 **image, size_t *len);

#endif
