/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What igb and igc have replaced besides the names of interpose.h, which comes
 * before; adv_hw, adv_reg_ims and adv_reg_eims are the stock driver's names.  No
 * include guard: a wrapper includes this once, on purpose.
 */

/* IMS and EIMS unmask interrupts: the registers that are never written. */
static inline void stock_wr32(struct adv_hw *hw, u32 reg, u32 val)
{
	wr32(reg, val);
}

#undef wr32
#define wr32(reg, val)							\
do {									\
	if ((reg) != adv_reg_ims && (reg) != adv_reg_eims)		\
		stock_wr32(hw, reg, val);				\
} while (0)

/* one queue, no vector: what the driver does without messages */
#undef pci_enable_msix_range
#define pci_enable_msix_range(pdev, e, min, max)	\
	kecat_wrap_no_messages(pdev)
#undef pci_enable_msi
#define pci_enable_msi(pdev)	kecat_wrap_no_messages(pdev)

/* buffers of slots stay mapped for the life of the port */
#undef dma_unmap_single
#define dma_unmap_single(dev, addr, len, dir)	kecat_wrap_keep_mapped(dev, addr)
